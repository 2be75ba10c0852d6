/**
 * The page's script, minified. `tools/release/bundle-page.js` writes this module when wirewright is
 * built.
 */
export const pageScript: string;
/** The page's stylesheet, minified. */
export const pageStyle: string;
