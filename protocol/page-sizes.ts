/** Rows on a page of /auctions, of one's own products and of My bids; bids in a product's history at once. */
export const auctionsPerPage = 24;
export const ownAuctionsPerPage = 30;
/** Answered questions about a product at once. */
export const questionsPerPage = 20;
export const bidsPerPage = 20;
/** Similar items on the page of one that has ended. */
export const similarItems = 6;
/** New items of a saved search are counted up to this number. */
export const hitsCounted = 99;
/** Items in the sitemap: the ones that were listed last. */
export const itemsInSitemap = 20_000;

/** Open auctions, and a seller's sold items, are counted up to this number: "500+ auctions". */
export const auctionsCounted = 500;
export const soldCounted = 100;
/** A number that was counted up to `most`. */
export const countedText = (count: number, most: number): string => (count > most ? `${most}+` : `${count}`);

/** Agents on a page of the admin dashboard; steps of an application at once. */
export const agentsPerPage = 50;
export const stepsPerPage = 50;

/** Offers on a page of "Offers to answer". */
export const offersPerPage = 50;
/** Conversations on a page of their list; messages of one at once. */
export const threadsPerPage = 25;
export const messagesPerPage = 50;

/** Students on a page of Manage Students. */
export const studentsPerPage = 50;
/** Agents whose students are counted on the admin dashboard. */
export const agentFigures = 20;
/** Rows of a bulk run on a page, and runs in the list. */
export const bulkItemsPerPage = 100;
export const bulkRunsListed = 50;
/** Agents that one search for somebody to assign shows. */
export const agentsPerSearch = 20;
/** Most entries of each kind on the agent dashboard's lists, at first and when all are asked for. */
export const waitingLimit = { first: 10, all: 500 } as const;

/** Entries on one page of the list, in the bell's panel, and the number from which the bell says no more. */
export const notificationsPerPage = 30;
export const notificationsInBell = 8;
export const mostUnread = 99;

/** Rows of looks at one's papers on a page; a page never cuts a row in two, so it may hold a few more. */
export const looksPerPage = 20;

/** Notes about a student at once. */
export const notesPerPage = 20;

/** Accounts, entries of the audit log and failed jobs on a page of an admin's lists. */
export const adminRowsPerPage = 50;

/** Deliveries of a webhook that its owner sees. */
export const webhookDeliveriesListed = 50;

/** Programmes on a page of the catalogue, and in the sitemap: those that were checked last. */
export const programmesPerPage = 24;
export const programmesInSitemap = 20_000;
