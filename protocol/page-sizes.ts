/** Rows on a page of /auctions, and of the viewer's own products and My bids. */
export const auctionsPerPage = 24;
export const ownAuctionsPerPage = 30;
/** Answered questions and bids of a product on a page. */
export const questionsPerPage = 20;
export const bidsPerPage = 20;
/** Similar items on the page of one that has ended. */
export const similarItems = 6;
/** New items of a saved search are counted up to this number. */
export const maxHits = 99;
/** Items in the sitemap: the ones that were listed last. */
export const itemsInSitemap = 20_000;

/** Open auctions and a seller's sold items are counted up to these numbers: "500+ auctions". */
export const maxAuctions = 500;
export const maxSold = 100;
/** Formats a number that was counted up to `most`. */
export const countedText = (count: number, most: number): string => (count > most ? `${most}+` : `${count}`);

/** Agents on a page of the admin dashboard; steps of an application on a page. */
export const agentsPerPage = 50;
export const stepsPerPage = 50;

/** Offers on a page of "Offers to answer". */
export const offersPerPage = 50;
/** Conversations on a page of their list; messages of one on a page. */
export const threadsPerPage = 25;
export const messagesPerPage = 50;

/** Students on a page of Manage Students. */
export const studentsPerPage = 50;
/** Agents whose students are counted on the admin dashboard. */
export const agentFigures = 20;
/** Rows of a bulk run on a page, and runs in the list. */
export const bulkItemsPerPage = 100;
export const bulkRunsListed = 50;
/** Agents in the result of a search for one to assign. */
export const agentsPerSearch = 20;
/** Most entries of each kind on the agent dashboard's lists, by default and if all are requested. */
export const waitingLimit = { first: 10, all: 500 } as const;

/** Entries on one page of the list and in the bell's panel, and the highest number on the bell. */
export const notificationsPerPage = 30;
export const notificationsInBell = 8;
export const mostUnread = 99;

/** Rows of looks at a student's papers on a page, which may have a few more, since it never splits a row. */
export const looksPerPage = 20;

/** Notes about a student on a page. */
export const notesPerPage = 20;

/** Accounts, entries of the audit log and failed jobs on a page of an admin's lists. */
export const adminRowsPerPage = 50;

/** Deliveries of a webhook that are listed. */
export const webhookDeliveriesListed = 50;

/** Programmes on a page of the catalogue, and in the sitemap: those that were checked last. */
export const programmesPerPage = 24;
export const programmesInSitemap = 20_000;
/** Programmes and institutions on a page of the lists for staff, and programmes on a page of an export. */
export const catalogueRowsPerPage = 50;
export const exportedPerPage = 100;
