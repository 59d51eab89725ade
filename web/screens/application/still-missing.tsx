import { useQuery } from "@tanstack/react-query";
import { documentLabel } from "#domain/document.ts";
import { profileLabel } from "#domain/profile.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import { api } from "../../lib/rpc.ts";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./still-missing.module.css";

const missingQuery = api.students.dashboard.queryOptions();

/**
 * What universities will ask for and is not there yet, each with a way to it. It
 * warns and blocks nothing: without an answer there is no warning either.
 */
export function StillMissing() {
  const { data } = useQuery(missingQuery);
  if (!data) return null;
  const fields = data.missingFields.map((field) => profileLabel[field]);
  const documents = data.documents
    .filter(({ state }) => !countsAsUploaded(state ?? undefined))
    .map(({ kind }) => documentLabel[kind]);
  if (fields.length === 0 && documents.length === 0) return null;
  return (
    <section className={classes.missing} aria-label="Still missing">
      <p className={classes.lead}>You can apply now. Universities will also ask for these:</p>
      <Missing title="Profile" labels={fields} to="/student-profile" />
      <Missing title="Documents" labels={documents} to="/student-documents" />
    </section>
  );
}

function Missing({ title, labels, to }: { title: string; labels: readonly string[]; to: string }) {
  if (labels.length === 0) return null;
  return (
    <>
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.list}>
        {labels.map((label) => (
          <li key={label}>
            <TextLink to={to}>{label}</TextLink>
          </li>
        ))}
      </ul>
    </>
  );
}
