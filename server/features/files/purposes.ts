/** Purposes of files, each with its folder in the store. */
export const filePurposes = {
  document: { folder: "documents" },
  requestedFile: { folder: "requests" },
  offerLetter: { folder: "offer-letters" },
  message: { folder: "messages" },
  auctionPicture: { folder: "auction-images" },
} as const;

export type FilePurpose = keyof typeof filePurposes;
