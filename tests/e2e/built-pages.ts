import { buildPages } from "#scripts/build.ts";

/** Before the first story: the pages are built, as `npm start` does it. */
export default buildPages;
