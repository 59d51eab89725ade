import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueProgramme, ProgrammeJoin } from "#contract/catalogue.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { wrong } from "#domain/problem.ts";
import { intakeWords } from "#domain/programme-words.ts";
import { programmeEditPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { formatDay } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { StoredEntry } from "./programme-form.tsx";
import classes from "./programmes.module.css";

type JoinProgrammeProps = {
  programme: StoredEntry;
  opened: boolean;
  onClose: () => void;
  /** Receives the id of the programme that stays. */
  onJoined: (id: string) => Promise<unknown>;
};

/** Joins a programme with another one of its university, either of which stays. */
export const JoinProgramme = ({ opened, onClose, ...props }: JoinProgrammeProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Join with another programme">
    <JoinForm onClose={onClose} {...props} />
  </Dialog>
);

const searchLength = 200;

/** Returns the other programmes of the university that match the search. */
function useOthers({ id, institution }: StoredEntry, search: string): CatalogueProgramme[] {
  const { data } = useQuery({
    ...api.catalogue.list.queryOptions({
      input: { search: search.slice(0, searchLength), institutionId: institution.id },
    }),
    placeholderData: keepPreviousData,
  });
  return (data?.programmes ?? []).filter((each) => each.id !== id);
}

const labelOf = ({ title, level, source, checkedOn }: CatalogueProgramme) =>
  `${title}, ${level}, from ${source}, checked on ${formatDay(checkedOn)}`;

function JoinForm({ programme, onClose, onJoined }: Omit<JoinProgrammeProps, "opened">) {
  const { id, entry, institution } = programme;
  const [search, setSearch] = useState(entry.title);
  const [other, setOther] = useState<CatalogueProgramme | null>(null);
  const [isOtherStaying, setOtherStaying] = useState(false);
  const others = useOthers(programme, search);
  const choices = other && !others.some((each) => each.id === other.id) ? [other, ...others] : others;
  const join = other && (isOtherStaying ? { id, into: other.id } : { id: other.id, into: id });
  return (
    <>
      <p className={dialog.words}>
        For two entries of one programme of {institution.name}. The one that stays keeps its own facts. It
        gets the starts that it lacks, and what students have chosen of the other. This can't be undone.
      </p>
      <ModalForm
        errorTitle="Not Joined"
        fields={["search"]}
        onEdit={(values) => setSearch(values.search)}
        check={() => (join ? null : wrong("other", "Please choose the other programme."))}
        send={async () => {
          if (!join) return false;
          await rpc.catalogue.joinProgramme(join);
          announce("The two are one programme now.");
          await queryClient.invalidateQueries({ queryKey: api.catalogue.list.key() });
          await onJoined(join.into);
          return true;
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Join them"
        busyText="Joining..."
      >
        <TextField
          optional
          name="search"
          label="Search programmes of this university"
          autoComplete="off"
          maxLength={searchLength}
          defaultValue={entry.title}
        />
        <SelectField
          name="other"
          label="The other programme"
          value={other?.id ?? ""}
          data={[
            {
              value: "",
              label: choices.length === 0 ? "The search finds no other" : "Choose one that the search finds",
            },
            ...choices.map((each) => ({ value: each.id, label: labelOf(each) })),
          ]}
          description={
            other && (
              <TextLink to={programmeEditPath(other.id)} target="_blank">
                Look at it first
              </TextLink>
            )
          }
          onChange={({ currentTarget: { value } }) =>
            setOther(choices.find((each) => each.id === value) ?? null)
          }
        />
        <SelectField
          name="staying"
          label="The one that stays"
          value={isOtherStaying ? "other" : "this"}
          data={[
            { value: "this", label: "The one on this page" },
            { value: "other", label: "The other one" },
          ]}
          onChange={({ currentTarget: { value } }) => setOtherStaying(value === "other")}
        />
        {join && <Preview join={join} />}
      </ModalForm>
    </>
  );
}

/** Shows what a join would move, before it is confirmed. */
function Preview({ join }: { join: { id: string; into: string } }) {
  const { data, error } = useQuery(
    api.catalogue.joinProgramme.queryOptions({ input: { ...join, dryRun: true } }),
  );
  return (
    <section aria-label="What moves" aria-live="polite">
      {error && <p>{friendlyError(error).message}</p>}
      {!data && !error && <Skeleton h={120} label="Loading the preview" />}
      {data && (
        <ul className={classes.preview}>
          {movesOf(data).map((move) => (
            <li key={move}>{move}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const amountOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Describes what a join moves. */
function movesOf({ intakes, kept, sourceIds, shortlisted, doubled, applications }: ProgrammeJoin): string[] {
  const moving = intakes.map(intakeWords).join(", ");
  return [
    moving === "" ? "No start moves." : `Starts that move: ${moving}.`,
    ...(kept.length > 0
      ? [`Starts of both, which stay as they are: ${kept.map(intakeWords).join(", ")}.`]
      : []),
    `${amountOf(shortlisted, "shortlist item", "shortlist items")} and ${amountOf(applications, "application", "applications")} move.`,
    ...(doubled > 0
      ? [`${amountOf(doubled, "student has both and keeps", "students have both and keep")} one of them.`]
      : []),
    ...sourceIds.map(
      ({ source, sourceId }) => `Imports of ${source} with the id ${sourceId} change the one that stays.`,
    ),
    "The other's web address leads to the one that stays.",
  ];
}
