const stylesheet = /<link rel="stylesheet" href="([^"#]+)#?"\/>/g;
const modulePreload = /<link rel="modulepreload" /g;

/**
 * A built page that is painted as soon as it is there. Its styles stand in it, each before the link that React looks
 * for, which loads nothing then; what only the application needs comes after the fonts and pictures. `read` gives
 * the text of a built file by its address.
 */
export const paintedAtOnce = (html: string, read: (address: string) => string): string =>
  html
    .replaceAll(stylesheet, (link, address: string) => `<style>${read(address)}</style>${kept(link)}`)
    .replaceAll(modulePreload, '<link rel="modulepreload" fetchpriority="low" ');

/** Browsers that look ahead for what to load go by `media`, not by `disabled`. */
const kept = (link: string) => link.replace("/>", ' media="not all" disabled=""/>');
