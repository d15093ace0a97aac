module.exports = globalThis.requireShared('reflect-metadata');
