/** `sitemap.xml`: the public pages, by their absolute addresses. */
export function siteMap(baseUrl: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${baseUrl}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>\n",
  ].join("\n");
}

/** `robots.txt`: pages may be read, what programs ask for need not be. */
export const robots = (baseUrl: string): string =>
  ["User-agent: *", "Disallow: /rpc/", "Disallow: /live", "", `Sitemap: ${baseUrl}/sitemap.xml\n`].join("\n");
