import { buildPages } from "#scripts/build.ts";

/** Builds the pages before the first story, as `npm start` does. */
export default buildPages;
