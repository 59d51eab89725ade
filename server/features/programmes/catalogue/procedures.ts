import { exportedPerPage } from "#protocol/page-sizes.ts";
import { writeCursor } from "#server/platform/keyset-list.ts";
import { actorOf, cursorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { entryCursor, exportPage } from "../imports/export.ts";
import { putProgrammes, validateProgrammes } from "../imports/put-programmes.ts";
import { listImports, undoImport } from "../imports/undo.ts";
import { differentCursor, listDifferent, sayDifferent, takeBackDifferent } from "./different-institutions.ts";
import { listEquivalences, removeEquivalence, saveEquivalence } from "./equivalences.ts";
import { listGroups, removeGroup, saveGroup } from "./groups.ts";
import { saveInstitution } from "./institution-commands.ts";
import { institutionCursor, listInstitutions, similarInstitutions } from "./institutions.ts";
import { listProgrammes, listSources, programmeCursor, readProgramme } from "./list-programmes.ts";
import { markChecked, saveProgramme, setRemoved } from "./programme-commands.ts";
import { enterRates, newestRates } from "./rates.ts";
import { addSamples } from "./samples.ts";

const nextOf = (cursor: readonly (string | Date)[] | null) => (cursor === null ? null : writeCursor(cursor));

/** The catalogue for staff. Agreements are a separate feature (server/features/agreements). */
export const staffCatalogue = {
  institutions: signedIn.catalogue.institutions.handler(({ input, context }) =>
    inTurn(context, async () => {
      const cursor = cursorOf(input.cursor, institutionCursor);
      const page = await listInstitutions(context.services.database.searchDb, { ...input, cursor });
      return { ...page, next: nextOf(page.next) };
    }),
  ),

  saveInstitution: signedIn.catalogue.saveInstitution.handler(({ input, context }) =>
    saveInstitution(context.services, actorOf(context), input),
  ),

  similarInstitutions: signedIn.catalogue.similarInstitutions.handler(({ context }) =>
    inTurn(context, () => similarInstitutions(context.services.database.searchDb)),
  ),

  differentInstitutions: signedIn.catalogue.differentInstitutions.handler(async ({ input, context }) => {
    const cursor = cursorOf(input.cursor, differentCursor);
    const page = await listDifferent(context.services.database.db, { ...input, cursor });
    return { ...page, next: nextOf(page.next) };
  }),

  sayDifferent: signedIn.catalogue.sayDifferent.handler(async ({ input, context }) => {
    await sayDifferent(context.services, actorOf(context), input);
    return done;
  }),

  takeBackDifferent: signedIn.catalogue.takeBackDifferent.handler(async ({ input, context }) => {
    await takeBackDifferent(context.services, actorOf(context), input);
    return done;
  }),

  list: signedIn.catalogue.list.handler(({ input, context }) =>
    inTurn(context, async () => {
      const cursor = cursorOf(input.cursor, programmeCursor);
      const page = await listProgrammes(context.services.database.searchDb, { ...input, cursor });
      return { ...page, next: nextOf(page.next) };
    }),
  ),

  read: signedIn.catalogue.read.handler(({ input, context }) =>
    readProgramme(context.services.database.db, input.id),
  ),

  save: signedIn.catalogue.save.handler(({ input, context }) =>
    saveProgramme(context.services, actorOf(context), input),
  ),

  remove: signedIn.catalogue.remove.handler(async ({ input, context }) => {
    await setRemoved(context.services, actorOf(context), input.id, true);
    return done;
  }),

  bringBack: signedIn.catalogue.bringBack.handler(async ({ input, context }) => {
    await setRemoved(context.services, actorOf(context), input.id, false);
    return done;
  }),

  markChecked: signedIn.catalogue.markChecked.handler(async ({ input, context }) => ({
    marked: await markChecked(context.services, actorOf(context), input.ids),
  })),

  sources: signedIn.catalogue.sources.handler(({ context }) =>
    inTurn(context, async () => ({ sources: await listSources(context.services.database.searchDb) })),
  ),

  entries: signedIn.catalogue.entries.handler(async ({ input, context }) => {
    const page = await exportPage(context.services.database.db, {
      source: input.source ?? null,
      cursor: cursorOf(input.cursor, entryCursor),
      limit: input.limit ?? exportedPerPage,
    });
    return { ...page, next: nextOf(page.next) };
  }),

  putProgrammes: signedIn.catalogue.putProgrammes.handler(async ({ input, context }) => ({
    rows: await (input.dryRun
      ? validateProgrammes(context.services.database.db, input.programmes)
      : putProgrammes(context.services, actorOf(context), input.programmes)),
  })),

  imports: signedIn.catalogue.imports.handler(async ({ context }) => ({
    imports: await listImports(context.services.database.db),
  })),

  undoImport: signedIn.catalogue.undoImport.handler(({ input, context }) =>
    undoImport(context.services, actorOf(context), input.id),
  ),

  addSamples: signedIn.catalogue.addSamples.handler(async ({ context }) => ({
    added: await addSamples(context.services, actorOf(context)),
  })),

  groups: signedIn.catalogue.groups.handler(async ({ context }) => ({
    groups: await listGroups(context.services.database.db),
  })),

  saveGroup: signedIn.catalogue.saveGroup.handler(async ({ input, context }) => ({
    id: await saveGroup(context.services, actorOf(context), input),
  })),

  removeGroup: signedIn.catalogue.removeGroup.handler(async ({ input, context }) => {
    await removeGroup(context.services, actorOf(context), input.id);
    return done;
  }),

  equivalences: signedIn.catalogue.equivalences.handler(async ({ context }) => ({
    equivalences: await listEquivalences(context.services.database.db),
  })),

  saveEquivalence: signedIn.catalogue.saveEquivalence.handler(async ({ input, context }) => ({
    id: await saveEquivalence(context.services, actorOf(context), input),
  })),

  removeEquivalence: signedIn.catalogue.removeEquivalence.handler(async ({ input, context }) => {
    await removeEquivalence(context.services, actorOf(context), input.id);
    return done;
  }),

  rates: signedIn.catalogue.rates.handler(async ({ context }) => ({
    rates: await newestRates(context.services.database.db),
  })),

  enterRates: signedIn.catalogue.enterRates.handler(async ({ input, context }) => {
    await enterRates(context.services, actorOf(context), input.rates);
    return done;
  }),
};
