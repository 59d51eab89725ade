import type { ReferenceField, ReferenceOperation } from "#contract/api-reference.ts";
import classes from "./api-docs.module.css";

const places = { path: "in the address", query: "in the query", body: "in the body" } as const;

/** One call: its address, who may, what goes in and what comes out. */
export function Operation({
  id,
  method,
  path,
  summary,
  scope,
  isPublic,
  inputs,
  outputs,
  errors,
}: ReferenceOperation) {
  return (
    <article className={classes.operation} aria-labelledby={id}>
      <h3 id={id} className={classes.summary}>
        {summary}
      </h3>
      <p className={classes.address}>
        <code>
          <b>{method}</b> {path}
        </code>
      </p>
      <p className={classes.scope}>
        Scope <code>{scope}</code>
        {isPublic && ", or without a key"}
      </p>
      <details>
        <summary>Inputs and answers</summary>
        {inputs.length > 0 && <Fields title="Inputs" fields={inputs} />}
        <Fields title="Answer" fields={outputs} />
        {errors.length > 0 && (
          <p>
            Errors of its own:{" "}
            {errors.map(({ status, codes }) => (
              <span key={status} className={classes.error}>
                {status}{" "}
                {codes.map((code) => (
                  <a key={code} href={`#${code.replace("/", "-")}`}>
                    <code>{code}</code>
                  </a>
                ))}
              </span>
            ))}
          </p>
        )}
      </details>
    </article>
  );
}

type FieldsProps = { title: string; fields: readonly (ReferenceField & { place?: keyof typeof places })[] };

const Fields = ({ title, fields }: FieldsProps) => (
  <>
    <h4 className={classes.kind}>{title}</h4>
    <ul className={classes.fields}>
      {fields.map(({ name, type, required, place }) => (
        <li key={name}>
          <code>{name}</code> <span className={classes.type}>{type}</span>
          {place && (
            <span className={classes.note}>
              {" "}
              {places[place]}
              {!required && ", optional"}
            </span>
          )}
        </li>
      ))}
    </ul>
  </>
);
