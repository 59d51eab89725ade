import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ReferenceField, ReferenceOperation } from "#contract/api-reference.ts";
import classes from "./api-docs.module.css";

const places = { path: "In the address", query: "In the query", body: "In the body" } as const;
type InputPlace = keyof typeof places;

type OpeningProps = {
  /** The id that links use. */
  id?: string;
  summary: ReactNode;
  children: ReactNode;
};

/** Opens when clicked. The browser also opens it for a match of its search and for a link into it. */
export const Opening = ({ id, summary, children }: OpeningProps) => (
  <details className={classes.opening}>
    <summary className={classes.summary}>
      {summary}
      <IconChevronDown size={20} stroke={1.6} aria-hidden className={classes.arrow} />
    </summary>
    <div id={id} className={classes.opened}>
      {children}
    </div>
  </details>
);

/** One call: its address, its callers, its input and its output. */
export const Operation = ({
  id,
  method,
  path,
  summary,
  description,
  scope,
  isPublic,
  inputs,
  outputs,
  examples,
  errors,
}: ReferenceOperation) => (
  <Opening
    id={id}
    summary={
      <>
        <h3 className={classes.name}>{summary}</h3>
        <code className={classes.address}>
          <b>{method}</b> {path}
        </code>
      </>
    }
  >
    {description.split("\n\n").map((paragraph) => (
      <p key={paragraph}>{withCode(paragraph)}</p>
    ))}
    <p className={classes.scope}>
      Scope <code>{scope}</code>
      {isPublic && ", or without a key"} · <a href={`#${id}`}>Link to this call</a>
    </p>
    {(["path", "query", "body"] satisfies InputPlace[]).map((place) => (
      <Fields
        key={place}
        title={places[place]}
        fields={inputs.filter((each) => each.place === place)}
        marksOptional
      />
    ))}
    <Example title="Example of a body" text={examples.request} />
    <Fields title="Answer" fields={outputs} />
    <Example title="Example of an answer" text={examples.answer} />
    {errors.length > 0 && (
      <>
        <h4 className={classes.kind}>Errors of its own</h4>
        <ul className={classes.fields}>
          {errors.flatMap(({ status, codes }) =>
            codes.map((code) => (
              <li key={code}>
                <a href={`#${code.replace("/", "-")}`}>
                  <code>{code}</code>
                </a>
                <span className={classes.note}>{status}</span>
              </li>
            )),
          )}
        </ul>
      </>
    )}
  </Opening>
);

/** Renders the parts of a text between backticks as code. */
const withCode = (text: string): ReactNode[] =>
  [...text.matchAll(/`([^`]+)`|[^`]+/g)].map(({ 0: whole, 1: code, index }) =>
    code === undefined ? whole : <code key={index}>{code}</code>,
  );

const Example = ({ title, text }: { title: string; text: string | null }) =>
  text !== null && (
    <>
      <h4 className={classes.kind}>{title}</h4>
      <pre className={classes.example}>
        <code>{text}</code>
      </pre>
    </>
  );

type FieldsProps = { title: string; fields: readonly ReferenceField[]; marksOptional?: boolean };

const Fields = ({ title, fields, marksOptional = false }: FieldsProps) =>
  fields.length > 0 && (
    <>
      <h4 className={classes.kind}>{title}</h4>
      <ul className={classes.fields}>
        {fields.map(({ name, type, required, note }) => (
          <li key={name}>
            <code>{name}</code>
            <span className={classes.note}>
              {type}
              {marksOptional && !required && ", optional"}
              {note !== "" && `. ${note}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
