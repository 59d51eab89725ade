import type { ApiScope } from "#domain/api-scope.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import classes from "./api-keys.module.css";

type Feature = ApiScope extends `${infer Name}:${string}` ? Name : never;

const features: Record<Feature, string> = {
  students: "Students",
  applications: "Applications",
  documents: "Documents (no files)",
  shortlist: "Shortlists",
  auctions: "Auctions and bids",
  notifications: "Notifications",
  agents: "Agents",
  accounts: "Accounts",
  overview: "Overview",
  audit: "Audit log",
  jobs: "Failed jobs",
  retention: "Retention",
};

const kinds = { read: "Read", write: "Change" } as const;

/** What a key may do, by part of Wayfare. */
export function ScopeChoice({ scopes }: { scopes: readonly ApiScope[] }) {
  return (
    <ChoiceGroup legend="What it may do" field="scopes">
      {Object.entries(features)
        .filter(([feature]) => scopes.some((scope) => scope.startsWith(`${feature}:`)))
        .map(([feature, label]) => (
          <div key={feature} className={classes.feature}>
            <span>{label}</span>
            <span className={classes.boxes}>
              {Object.entries(kinds)
                .filter(([kind]) => scopes.some((scope) => scope === `${feature}:${kind}`))
                .map(([kind, word]) => (
                  <label key={kind} className={classes.box}>
                    <input type="checkbox" name={`${feature}:${kind}`} aria-label={`${word} ${label}`} />
                    {word}
                  </label>
                ))}
            </span>
          </div>
        ))}
    </ChoiceGroup>
  );
}
