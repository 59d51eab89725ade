/** Says why a data folder can't be used, and what the operator can do about it. */
export class UnusableFolder extends Error {
  override name = "UnusableFolder";
}
