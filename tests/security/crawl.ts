import { randomUUID } from "node:crypto";
import { contractProcedures } from "#tests/access/input-fields.ts";
import type { Finding, ScanResult, Severity } from "./finding.ts";
import { plainInput, type SubjectIds } from "./plain-input.ts";
import { type Role, type Subject, studentFor } from "./subject.ts";

/** Files that other servers leave exposed, each with a pattern that recognises it. */
const leftovers: Record<string, RegExp> = {
  "/.git/HEAD": /^ref: /,
  "/.git/config": /\[core\]/,
  "/.env": /=/,
  "/.env.example": /PORT=/,
  "/.npmrc": /=/,
  "/.DS_Store": /Bud1/,
  "/.well-known/openid-configuration": /issuer/,
  "/package.json": /"name"/,
  "/package-lock.json": /lockfileVersion/,
  "/compose.yaml": /services:/,
  "/Dockerfile": /FROM/,
  "/server/main.ts": /import/,
  "/build/server/index.js": /export/,
  "/data/session-secret": /./,
  "/data/mail": /./,
  "/metrics": /# HELP/,
  "/server-status": /Apache/,
  "/server-info": /Apache/,
  "/phpinfo.php": /PHP Version/,
  "/wp-login.php": /WordPress/,
  "/admin.php": /</,
  "/actuator/env": /propertySources/,
  "/swagger.json": /swagger/,
  "/openapi.json": /openapi/,
  "/graphql": /data/,
  "/backup.zip": /^PK/,
  "/backup.tar.gz": /./,
  "/backup.sql": /INSERT/i,
  "/dump.sql": /INSERT/i,
  "/index.html.bak": /</,
  "/index.html~": /</,
  "/assets/": /Index of|Parent Directory/,
  "/pictures/": /Index of|Parent Directory/,
  "/files/": /Index of|Parent Directory/,
  "/files/documents/": /Index of|Parent Directory/,
  "/..%2f..%2fetc/passwd": /root:/,
  "/%2e%2e/%2e%2e/etc/passwd": /root:/,
  "/assets/..%2f..%2f..%2fpackage.json": /"name"/,
  "/assets/..\\..\\package.json": /"name"/,
  "/....//....//etc/passwd": /root:/,
  "/%00": /./,
  "/cgi-bin/test.cgi": /./,
  "/debug": /stack/i,
  "/console": /console/i,
};

/** A probe that only comes back unescaped if the page doesn't escape its input. */
const mark = `"'><x-mark onload=1>`;
/** Addresses to which a careless server would redirect a browser. */
const elsewhere = [
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/%09/evil.example",
  "javascript:alert(1)",
];
const forwarding = ["next", "url", "redirect", "return", "returnTo", "continue", "to"];
const queries = [
  "q",
  "search",
  "token",
  "sort",
  "cursor",
  "category",
  "filter",
  "page",
  "id",
  "error",
  "message",
];

/** Procedures that would log the role out or delete its account. */
const endsSession = new Set(["account.signOut", "account.signOutOthers", "account.requestDeletion"]);
const addressOf = (procedure: string) => `/rpc/${procedure.replace(".", "/")}`;

type Answer = { path: string; status: number; headers: Headers; body: string };

class Crawler {
  readonly findings: Finding[] = [];
  requests = 0;
  readonly #url: string;
  readonly #role: Role;

  constructor(url: string, role: Role) {
    this.#url = url;
    this.#role = role;
  }

  #find(severity: Severity, what: string, where: string): void {
    const finding = { severity, tool: "crawl", role: this.#role.name, what, where };
    if (!this.findings.some((each) => each.what === what && each.where === where))
      this.findings.push(finding);
  }

  async ask(path: string, { method = "GET", ...init }: RequestInit = {}): Promise<Answer> {
    this.requests++;
    const headers = new Headers(init.headers);
    if (this.#role.cookie !== "") headers.set("cookie", this.#role.cookie);
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${this.#url}${path}`, {
      ...init,
      method,
      headers,
      redirect: "manual",
      signal,
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await response.body?.cancel();
    const body = isStream ? "" : await response.text();
    const answer = { path: `${method} ${path}`, status: response.status, headers: response.headers, body };
    this.#judge(answer);
    return answer;
  }

  /** Reports problems that any answer may have. */
  #judge({ path, status, headers, body }: Answer): void {
    if (status >= 500 && status !== 503) this.#find("high", `answers ${status}`, path);
    if (
      /\bat .+\.(?:ts|js|mjs):\d+|node_modules\/|select .+ from "|syntax error at or near/i.test(body) &&
      !path.includes("/assets/")
    )
      this.#find("high", "tells of its inside", path);
    // JSON and the zip of one's own data contain stored text, but no browser renders them as a page.
    const isMarkup = /html|xml/.test(headers.get("content-type") ?? "");
    if (isMarkup && body.includes(mark))
      this.#find("high", "writes what was asked into its answer as it is", path);
    const location = headers.get("location");
    if (location !== null && new URL(location, this.#url).host !== new URL(this.#url).host)
      this.#find("high", `sends to ${location}`, path);
    const policy = headers.get("content-security-policy") ?? "";
    const isHtml = headers.get("content-type")?.startsWith("text/html") === true;
    if (headers.get("x-content-type-options") !== "nosniff") this.#find("medium", "no nosniff", path);
    if (policy === "" && (isHtml || !path.includes("/assets/")))
      this.#find("medium", "no Content-Security-Policy", path);
    if (isHtml && /script-src[^;]*'unsafe-(?:inline|eval)'/.test(policy))
      this.#find("medium", "scripts may stand in the page", path);
    if (isHtml && !/frame-ancestors '(?:none|self)'/.test(policy))
      this.#find("medium", "may be framed", path);
    // The API document is public, and tools of other sites show it.
    if (headers.has("access-control-allow-origin") && path !== "GET /api/openapi.json")
      this.#find("medium", "other sites may read it", path);
    for (const name of ["server", "x-powered-by", "x-aspnet-version"])
      if (headers.has(name)) this.#find("low", `says what it runs on (${name})`, path);
    for (const cookie of headers.getSetCookie()) {
      if (!/; SameSite=(?:Lax|Strict)/i.test(cookie)) this.#find("medium", `a cookie without SameSite`, path);
      // The page reads the hint of the role, which grants nothing.
      if (!/; HttpOnly/i.test(cookie) && !/^[\w.-]*hint=/.test(cookie))
        this.#find("medium", "a cookie that scripts can read", path);
    }
    if (
      status < 400 &&
      /\/(?:rpc|files)\//.test(path) &&
      !/no-store/.test(headers.get("cache-control") ?? "")
    )
      this.#find("medium", "an answer to one person may be kept by caches", path);
  }

  async leftovers(): Promise<void> {
    for (const [path, sign] of Object.entries(leftovers)) {
      const { status, body, headers } = await this.ask(path);
      const isPage = headers.get("content-type")?.startsWith("text/html") === true;
      if (status === 200 && !isPage && sign.test(body))
        this.#find("high", "a file that is nobody's business", path);
    }
  }

  async methods(paths: readonly string[]): Promise<void> {
    for (const path of paths)
      for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const { status } = await this.ask(path, { method });
        if (status < 300) this.#find("medium", `takes ${method}`, path);
      }
  }

  async reflection(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      for (const query of queries) await this.ask(`${path}?${query}=${encodeURIComponent(mark)}`);
      for (const query of forwarding)
        for (const target of elsewhere) await this.ask(`${path}?${query}=${encodeURIComponent(target)}`);
    }
    await this.ask(`/${encodeURIComponent(mark)}`);
    await this.ask("/", {
      headers: { referer: mark, "user-agent": mark, "x-forwarded-host": "evil.example" },
    });
  }

  /** Calls every procedure: reading ones with existing ids, changing ones with unknown ids. */
  async calls(ids: SubjectIds): Promise<void> {
    const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };
    const unknown = { productId: randomUUID(), studentId: randomUUID() };
    for (const { path, input, reads } of contractProcedures()) {
      if (endsSession.has(path)) continue;
      const json = input && plainInput(input, reads ? ids : unknown, mark);
      await this.ask(addressOf(path), { method: "POST", headers, body: JSON.stringify({ json }) });
    }
  }

  /** Fetches the role's download of its own data. */
  async ownData(): Promise<void> {
    const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };
    const { status, body } = await this.ask(addressOf("account.dataLink"), { method: "POST", headers });
    const [, link = ""] = /"url":"([^"]+)"/.exec(body) ?? [];
    if (status === 200) await this.ask(new URL(link, this.#url).href.slice(this.#url.length));
  }

  /** Checks that another site's page may neither call nor read. */
  async foreign(): Promise<void> {
    const headers = {
      origin: "https://evil.example",
      "sec-fetch-site": "cross-site",
      "content-type": "application/json",
      "x-csrf-token": "orpc",
    };
    const procedures = contractProcedures().map(({ path }) => addressOf(path));
    for (const path of [...procedures, "/files/auction-pictures"]) {
      const { status } = await this.ask(path, { method: "POST", headers, body: '{"json":{}}' });
      if (status < 400) this.#find("high", "is carried out for another site", path);
    }
  }

  /** Follows the links in pages, starting with these. */
  async follow(paths: readonly string[], most: number): Promise<string[]> {
    const addresses = new Set(paths);
    for (const path of addresses) {
      const { body, headers } = await this.ask(path);
      if (headers.get("content-type")?.startsWith("text/html") !== true) continue;
      for (const [, link = ""] of body.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
        if (link.startsWith("http:") && !link.startsWith(this.#url))
          this.#find("low", `links to ${link} without TLS`, path);
        const target = new URL(link.replaceAll("&amp;", "&"), `${this.#url}${path}`);
        if (target.origin === new URL(this.#url).origin && addresses.size < most)
          addresses.add(`${target.pathname}${target.search}`);
      }
    }
    return [...addresses];
  }
}

/** Visits every page and its links as one role, with the probes of scanners. */
export async function crawl({ server, paths, productId }: Subject, role: Role): Promise<ScanResult> {
  const crawler = new Crawler(server.url, role);
  const endpoints = [
    "/healthz",
    "/readyz",
    `/auctions/products/${productId}`,
    "/live?topics=account",
    "/sitemap.xml",
    "/robots.txt",
  ];
  const addresses = await crawler.follow([...paths, ...endpoints, "/files/audit.csv"], 400);
  await crawler.leftovers();
  await crawler.methods([...paths.slice(0, 8), ...endpoints, "/rpc/account/me", "/files/documents/x"]);
  await crawler.reflection(paths);
  await crawler.foreign();
  await crawler.calls({ productId, studentId: await studentFor(server, role) });
  await crawler.ownData();
  return {
    findings: crawler.findings,
    figures: `${addresses.length} addresses, ${crawler.requests} requests`,
  };
}
