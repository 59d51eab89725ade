import { expect, test } from "./story.ts";

test("search engines and previews find the metadata that they need", async ({ page, server }) => {
  await page.goto("/");
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${server.url}/`);
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect(picture).toBe(`${server.url}/social.png`);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(JSON.stringify(data)).toContain('"FAQPage"');
  expect(data["@graph"][0]).toMatchObject({ "@type": "Organization", url: `${server.url}/` });

  const map = await (await page.request.get("/sitemap.xml")).text();
  expect(map).toContain(`<loc>${server.url}/meet-the-team</loc>`);
  expect(map).toContain("/reset-password</loc>");
  expect(map).not.toContain("verify-email");
  const mailed = await page.request.get("/reset-password?token=mailed");
  expect(mailed.headers()["x-robots-tag"]).toBe("noindex");
  for (const file of ["/social.png", "/icon-180.png", "/wayfare.webmanifest", "/robots.txt"])
    expect((await page.request.get(file)).status(), file).toBe(200);
  const moved = await page.request.get("/about", { maxRedirects: 0 });
  expect([moved.status(), moved.headers()["location"]]).toEqual([301, "/about-us"]);
});
