import { quoteThis } from "#domain/error-catalogue.ts";
import classes from "./dialog.module.css";

export const Quote = ({ requestId, id }: { requestId: string; id?: string }) => (
  <p className={classes.aside}>
    {quoteThis} <code id={id}>{requestId}</code>
  </p>
);
