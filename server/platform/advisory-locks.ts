/** The numbers of PostgreSQL's advisory locks: the same on every node, and never changed. */
export const advisoryLocks = {
  /** Held while tables are brought up to date. */
  migration: 7_233_001,
  /** Held by a transaction that has written to the audit log while it commits (migration 0016). */
  auditChain: 7_233_002,
  /** Held until an import is done. */
  import: 7_233_003,
  /** Held by a backup until the last file is copied. */
  backup: 7_233_004,
} as const;
