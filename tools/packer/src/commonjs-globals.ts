// What CommonJS modules expect, for those inside a bundle of ES modules. Names, and not text before each file: packages
// may declare the same ones.
export const __filename = import.meta.filename;
export const __dirname = import.meta.dirname;
