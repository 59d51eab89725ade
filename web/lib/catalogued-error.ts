import { type CatalogueCode, catalogue } from "#domain/error-catalogue.ts";

/** An error of the catalogue that the browser found by itself. */
export class CataloguedError extends Error {
  readonly code: CatalogueCode;
  constructor(code: CatalogueCode, cause?: unknown) {
    super(catalogue[code], { cause });
    this.code = code;
  }
}
