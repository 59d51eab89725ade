import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { missingRoot, rootElementId } from "#protocol/configuration.ts";
import { configuration } from "./lib/configuration.ts";
import { forbidHtml } from "./lib/trusted-types.ts";
import { askForViewer } from "./lib/viewer.ts";

/** Loads the error reporter only when there is an error, and gives up if that fails. */
const report = (thrown: unknown): void =>
  void import("./lib/report-error.ts").then((module) => module.reportError(thrown)).catch(() => {});

forbidHtml();
addEventListener("error", ({ error }) => report(error));
addEventListener("unhandledrejection", ({ reason }) => report(reason));

try {
  if (!document.getElementById(rootElementId)) throw new Error(missingRoot);
  configuration();
} catch (error) {
  // Show the message instead of half a page.
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(message);
  throw error;
}

askForViewer();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      {/* Reports errors of screens. React passes uncaught ones on to the window. */}
      <HydratedRouter onError={report} />
    </StrictMode>,
  );
});
