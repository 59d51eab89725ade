import classes from "./dialog.module.css";

/** What a person can quote to us, so that the line of the log is found. */
export const Quote = ({ requestId, id }: { requestId: string; id?: string }) => (
  <p className={classes.aside}>
    If you contact us about it, quote this number: <code id={id}>{requestId}</code>
  </p>
);
