const { dest, src } = require('gulp');

/** What tsc does not build: the icons and the nodes' codex files, at the same places below dist. */
exports.default = () => src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.' }).pipe(dest('dist'));
