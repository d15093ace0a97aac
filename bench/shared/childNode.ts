/** Node.js remarks on every TypeScript file without it, because package.json has no "type". */
export const NODE_OPTIONS = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
