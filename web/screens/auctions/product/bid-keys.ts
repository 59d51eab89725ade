/**
 * The idempotency keys of intended bids, by their amount as it was typed: a retry after a failure that leaves open
 * whether the bid was taken goes out under the key of the first try, and so never bids twice.
 */
export function createBidKeys(make: () => string) {
  const open = new Map<string, string>();
  return {
    of(amount: string): string {
      const key = open.get(amount) ?? make();
      open.set(amount, key);
      return key;
    },
    /** Whether it is open what became of a bid of this amount. */
    isOpen: (amount: string): boolean => open.has(amount),
    /** The server has answered: the same amount is a new bid from now on. */
    answered: (amount: string): void => void open.delete(amount),
  };
}
