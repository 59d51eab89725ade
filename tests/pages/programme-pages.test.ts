import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import { buildPages } from "#scripts/build.ts";
import { agreement } from "#server/features/agreements/tables.ts";
import { exchangeRate, nationalityGroup, programme } from "#server/features/programmes/tables.ts";
import { serveBuild } from "#server/pages.ts";
import { programmeOf, type University } from "#tests/support/catalogue.ts";
import { person } from "#tests/support/factories.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let leeds: University;
beforeAll(async () => {
  buildPages();
  w = await wayfare({ variables: { BASE_URL: "https://study.example" } });
  await serveBuild(w.app, "build", w.services);
  leeds = await storeInstitution(w);
  await w.services.database.db
    .insert(exchangeRate)
    .values({ day: "2026-11-01", currency: "GBP", perRand: "0.0425" });
  await w.services.database.db
    .insert(nationalityGroup)
    .values({ id: randomUUID(), name: "West Africa", countries: ["NG", "GH"] });
}, 300_000);
afterAll(() => w.stop());

const get = (path: string) => w.app.request(path);
const textOf = async (path: string) => (await (await get(path)).text()).replaceAll("<!-- -->", "");
const dataIn = (html: string) => {
  const [, json = "null"] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as Record<string, unknown> | null;
};

const tuition = {
  kind: "tuition",
  amount: 2_750_000,
  currency: "GBP",
  per: "year",
  academicYear: 2090,
  audience: "international",
} as const;

const facts = {
  title: "MSc Nursing </script><b>now</b>",
  fees: [tuition],
  intakes: [
    {
      year: 2090,
      month: 9,
      state: "open",
      deadlines: [{ kind: "applyBy", group: null, date: "2090-06-30", time: "17:00", hard: true }],
    },
  ],
  requirementSets: [
    [{ kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing: 6 }, years: 2 }],
  ],
} satisfies Parameters<typeof programmeOf>[2];

/** A start that only a group of nationalities may still apply for. */
const overForMost = {
  year: 2090,
  month: 9,
  state: "open" as const,
  deadlines: [
    { kind: "applyBy" as const, group: null, date: "2026-02-03", time: "17:00", hard: true },
    { kind: "applyBy" as const, group: "West Africa", date: "2090-05-31", time: "17:00", hard: true },
  ],
};

describe("a programme's page", () => {
  test("is in the server's HTML with its facts, which search engines can read", async () => {
    const { slug } = await programmeOf(w, leeds, facts);
    const html = await textOf(`/programmes/${slug}`);
    for (const text of [
      "MSc Nursing &lt;/script&gt;&lt;b&gt;now&lt;/b&gt;",
      "IELTS Academic 6.5, writing 6.0, at most 2 years old at the start",
      "17:00 on 30 June 2090 in London",
      "GBP\u00a027,500",
      "about R647,100",
      "In rand by the rate of GBP on 1 Nov 2026.",
      "from leeds.example",
    ])
      expect(html, text).toContain(text);
    expect(html).not.toContain("</script><b>");
    expect(html).toContain(`<link rel="canonical" href="https://study.example/programmes/${slug}"/>`);
    expect(dataIn(html)).toMatchObject({
      "@type": "EducationalOccupationalProgram",
      name: facts.title,
      url: `https://study.example/programmes/${slug}`,
      timeToComplete: "P12M",
      startDate: "2090-09-01",
      applicationDeadline: "2090-06-30",
      provider: { name: "University of Leeds" },
      offers: { price: "27500", priceCurrency: "GBP" },
    });
  });

  test("is the target of a merged programme's address, with its query", async () => {
    const [current, former] = [await programmeOf(w, leeds), await programmeOf(w, leeds)];
    const admin = await person(w, "admin", "active");
    await admin.caller.api.catalogue.joinProgramme({ id: former.id, into: current.id });
    for (const query of ["", "?start=2090-09&compare=one%2Ctwo", "?start=2091-01"]) {
      const answer = await get(`/programmes/${former.slug}${query}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([
        301,
        `/programmes/${current.slug}${query}`,
      ]);
    }
    expect((await get(`/programmes/${current.slug}`)).status).toBe(200);
  });

  test("has one canonical address, whatever it is compared with", async () => {
    const { slug } = await programmeOf(w, leeds);
    expect(await textOf(`/programmes/${slug}?compare=another`)).toContain(
      `<link rel="canonical" href="https://study.example/programmes/${slug}"/>`,
    );
  });

  test("says that it was removed, and isn't indexed then; nor is a sample", async () => {
    const { id, slug } = await programmeOf(w, leeds);
    await w.services.database.db.update(programme).set({ removedAt: new Date() }).where(eq(programme.id, id));
    const { slug: sample } = await programmeOf(w, leeds, { sample: true });
    const html = await textOf(`/programmes/${slug}`);
    expect(html).toContain("This programme is no longer in the catalogue.");
    for (const page of [html, await textOf(`/programmes/${sample}`)]) {
      expect(page).toContain('<meta name="robots" content="noindex"/>');
      expect(dataIn(page)).toBeNull();
    }
  });

  test("is in the site map that robots.txt names, unless it was removed", async () => {
    const [current, former] = [await programmeOf(w, leeds), await programmeOf(w, leeds)];
    await w.services.database.db
      .update(programme)
      .set({ removedAt: new Date() })
      .where(eq(programme.id, former.id));
    const siteMap = "https://study.example/sitemap-programmes.xml";
    expect((await textOf("/robots.txt")).split("\n")).toContain(`Sitemap: ${siteMap}`);
    const answer = await get("/sitemap-programmes.xml");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/xml; charset=utf-8",
    ]);
    const xml = await answer.text();
    expect(xml).toContain(`<loc>https://study.example/programmes/${current.slug}</loc>`);
    expect(xml).not.toContain(former.slug);
  });

  test("says nothing of agreements in its public HTML", async () => {
    const { slug } = await programmeOf(w, leeds);
    await w.services.database.db.insert(agreement).values({ institutionId: leeds.id });
    expect(await textOf(`/programmes/${slug}`)).not.toContain("Your agency is paid");
  });

  test("tells search engines no past deadline", async () => {
    const { slug } = await programmeOf(w, leeds, { intakes: [overForMost] });
    const data = dataIn(await textOf(`/programmes/${slug}`));
    expect(data).toMatchObject({ startDate: "2090-09-01" });
    expect(data).not.toHaveProperty("applicationDeadline");
  });

  test("marks a tuition for the whole programme as such, also for search engines", async () => {
    const fees = [{ ...tuition, amount: 1_450_000, per: "whole" as const }];
    const { slug } = await programmeOf(w, leeds, { fees });
    const html = await textOf(`/programmes/${slug}`);
    expect(dataIn(html)).toMatchObject({
      offers: { price: "14500", description: "for the whole programme" },
    });
    const [panel] = /aria-label="Apply and compare".*?<\/section>/s.exec(html) ?? [];
    expect(panel).toContain("GBP\u00a014,500</strong> for the whole programme");
    expect(panel).toContain("about R341,200");
  });

  test("is not found for an unknown address", async () => {
    for (const slug of ["no-such-programme", "x".repeat(300), "%F0%9F%92%A5"]) {
      const response = await get(`/programmes/${slug}`);
      expect(response.status, slug).toBe(404);
      expect(await response.text()).toContain("Programme not found");
    }
  });
});

describe("the list of programmes", () => {
  test("is in the server's HTML, filtered as its address says, with the count of each filter", async () => {
    await programmeOf(w, leeds, { title: "LLM Space Law", level: "Postgraduate", field: "business" });
    await programmeOf(w, leeds, { title: "Foundation in Law", level: "Foundation", field: "business" });
    const html = await textOf("/programmes?level=Foundation");
    expect(html).toContain("Foundation in Law");
    expect(html).not.toContain("LLM Space Law");
    expect(html).toContain("1 programme</output>");
    expect(html).toMatch(/Postgraduate \(\d+\)/);
    expect(html).toContain("No agreement with a university changes it.");
  });

  test("shows the start that it is filtered by, and links to the page with that start", async () => {
    const title = "MSc Tides";
    const both = [9, 12].map((month) => ({ year: 2093, month, state: "open" as const, deadlines: [] }));
    const { slug } = await programmeOf(w, leeds, { title, field: "services", intakes: both });
    const all = await textOf("/programmes?field=services");
    expect(all).toMatch(/Next start<\/dt><dd[^>]*>September 2093/);
    expect(all).toContain(`href="/programmes/${slug}"`);
    const december = await textOf("/programmes?field=services&intake=2093-12");
    expect(december).toMatch(/<dt>Start<\/dt><dd[^>]*>December 2093/);
    expect(december).toContain(`href="/programmes/${slug}?start=2093-12"`);
  });

  test("says that a deadline is over instead of its date", async () => {
    await programmeOf(w, leeds, { field: "agriculture", intakes: [overForMost] });
    const html = await textOf("/programmes?field=agriculture");
    expect(html).toMatch(
      /<dt>Apply by<\/dt><dd[^>]*>Over<span[^>]*>Some nationalities have a date of their own/,
    );
    expect(html).not.toContain("3 February 2026");
  });

  test("says that students may ask for more time after a soft deadline", async () => {
    const deadlines = [
      { kind: "applyBy" as const, group: null, date: "2026-02-03", time: null, hard: false },
    ];
    await programmeOf(w, leeds, { field: "engineering", intakes: [{ ...overForMost, deadlines }] });
    expect(await textOf("/programmes?field=engineering")).toMatch(
      /<dt>Apply by<\/dt><dd[^>]*>Over\. If you need longer, ask\.</,
    );
  });

  test("marks a tuition for the whole programme as such", async () => {
    const fees = [{ ...tuition, per: "whole" as const }];
    await programmeOf(w, leeds, { field: "education", fees });
    expect(await textOf("/programmes?field=education")).toMatch(
      /<dt>Tuition<\/dt><dd><strong[^>]*>GBP\u00a027,500<\/strong><span[^>]*>for the whole programme</,
    );
  });

  test("says which programmes were checked long ago", async () => {
    const checkedOn = monthsBefore(calendarDate(new Date()), 14);
    await programmeOf(w, leeds, { field: "arts", title: "MA Maps", checkedOn });
    expect(await textOf("/programmes?field=arts")).toMatch(/Checked on .*?Not checked for a year/s);
    await programmeOf(w, leeds, { field: "computing", title: "MSc Nets", checkedOn: "2024-01-01" });
    expect(await textOf("/programmes?field=computing")).toMatch(/Checked on .*?Not checked for 18 months/s);
    expect(await textOf("/programmes?field=education")).not.toContain("Not checked for");
  });

  test("has the same HTML for filters of the student's own, and leaves searches to the browser", async () => {
    const parts = (html: string) => /<main.*<\/main>/s.exec(html)?.[0];
    const all = parts(await textOf("/programmes"));
    expect(parts(await textOf("/programmes?outcome=mayEnter&sort=gaps&compare=a,b"))).toBe(all);
    expect(await textOf("/programmes?search=law")).not.toContain("Foundation in Law");
  });
});
