declare module "hono" {
  interface ContextVariableMap {
    /** The answer brings all of its headers: to set them one by one takes a fifth of what sending a page takes. */
    hasAllHeaders?: boolean;
  }
}

/** What says something to whoever reads JSON: these answers are asked for most often. */
export const headersForPrograms = (baseUrl: string): Record<string, string> => ({
  // What is no page may load nothing and be shown in no frame; pages and documents bring a policy of their own.
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  ...(baseUrl.startsWith("https:") && {
    "strict-transport-security": "max-age=31536000; includeSubDomains",
  }),
});

/** What every other answer has the browser refuse. */
export const securityHeaders = (baseUrl: string): Record<string, string> => ({
  ...headersForPrograms(baseUrl),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
});
