/**
 * A screen's `handle`, where its HTML depends on the query of its address: `query` writes those parts of it that count,
 * in one way for all that look the same. The HTML of every other screen is the same for all queries.
 */
export type RenderedOnce = { query: (params: URLSearchParams) => string };

/** For a screen that a mailed link opens: that there is a token counts, not which. */
export const tokenOnly: RenderedOnce = { query: (params) => (params.has("token") ? "?token=" : "") };
