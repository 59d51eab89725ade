/** The purposes for which files are kept, each with the folder of the store that has its files. */
export const filePurposes = {
  document: { folder: "documents" },
  requestedFile: { folder: "requests" },
  offerLetter: { folder: "offer-letters" },
  message: { folder: "messages" },
  auctionPicture: { folder: "auction-images" },
} as const;

export type FilePurpose = keyof typeof filePurposes;
