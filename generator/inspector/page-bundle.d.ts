/**
 * Script of the page, minified. `tools/release/bundle-page.js` writes this module when wirewright
 * is built.
 */
export const pageScript: string;
/** Style of the page, minified. */
export const pageStyle: string;
