import { expect, test } from "vitest";
import { type Preview, previewTags, withHead } from "./page-head.ts";

const preview = (changes: Partial<Preview> = {}): Preview => ({
  title: "Walnut desk",
  description: "Two drawers.",
  url: "https://wayfare.example/product/1",
  type: "product",
  image: { url: "https://wayfare.example/pictures/2/800.jpg", width: 800, height: 600 },
  data: { name: "Walnut desk" },
  ...changes,
});
const shell = `<html><head><meta charSet="utf-8"/><title>Wayfare</title></head><body><svg><title>a mark</title></svg></body></html>`;

test("title, description, canonical link, Open Graph and card", () => {
  const html = withHead(shell, previewTags(preview()));
  for (const tag of [
    "<title>Walnut desk · Wayfare</title>",
    '<meta name="description" content="Two drawers."/>',
    '<link rel="canonical" href="https://wayfare.example/product/1"/>',
    '<meta property="og:title" content="Walnut desk"/>',
    '<meta property="og:description" content="Two drawers."/>',
    '<meta property="og:type" content="product"/>',
    '<meta property="og:url" content="https://wayfare.example/product/1"/>',
    '<meta property="og:image" content="https://wayfare.example/pictures/2/800.jpg"/>',
    '<meta property="og:image:width" content="800"/>',
    '<meta property="og:image:height" content="600"/>',
    '<meta name="twitter:card" content="summary_large_image"/>',
    '<script type="application/ld+json">{"name":"Walnut desk"}</script>',
  ])
    expect(html.slice(0, html.indexOf("</head>"))).toContain(tag);
  expect(html).not.toContain("<title>Wayfare</title>");
  expect(html).toContain("<title>a mark</title>");
});

test("without a picture none is named", () => {
  const tags = previewTags(preview({ image: null }));
  expect(tags).not.toContain("og:image");
  expect(tags).toContain('<meta name="twitter:card" content="summary"/>');
});

test.each([
  "</title><script>alert(1)</script>",
  '"><script>alert(1)</script>',
  "' onload='alert(1)",
  "</head><body onload=alert(1)>",
  "<!-- ",
  "$& $' $` $1 &amp; &lt;",
])("%s ends nothing and begins nothing", (text) => {
  const html = withHead(shell, previewTags(preview({ title: text, description: text, data: { text } })));
  const plain = withHead(shell, previewTags(preview({ title: "x", description: "x", data: { text: "x" } })));
  const shape = (written: string) =>
    written.replace(/content="[^"]*"|<title>[^<]*<\/title>|(?<=json">)[^<]*/g, "");
  expect(shape(html)).toBe(shape(plain));
  const title = /property="og:title" content="([^"]*)"/.exec(html)?.[1] ?? "";
  const read = title.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, sign: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'" })[sign] ?? "&",
  );
  expect(read).toBe(text);
  const [data = ""] = /(?<=json">)[^<]*/.exec(html) ?? [];
  expect(JSON.parse(data)).toEqual({ text });
});
