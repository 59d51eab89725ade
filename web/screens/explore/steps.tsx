import {
  IconCreditCard,
  IconListSearch,
  IconPigMoney,
  IconPlaneTilt,
  IconSend,
  IconUserPlus,
  type TablerIcon,
} from "@tabler/icons-react";
import { type Step, steps } from "../../content/steps.ts";
import classes from "./steps.module.css";

const icons: Record<Step, TablerIcon> = {
  Register: IconUserPlus,
  Search: IconListSearch,
  Apply: IconSend,
  Funding: IconPigMoney,
  Payments: IconCreditCard,
  Visa: IconPlaneTilt,
};

/** The way from registering to the visa, as stops on one line. */
export function Steps() {
  return (
    <ol className={classes.steps}>
      {steps.map(({ title, text }, at) => {
        const Icon = icons[title];
        return (
          <li key={title} className={classes.step} data-last={at === steps.length - 1 || undefined}>
            <span className={classes.stop}>
              <Icon size={24} stroke={1.6} aria-hidden />
            </span>
            <div>
              <h3 className={classes.title}>
                {at + 1}. {title}
              </h3>
              <p className={classes.text}>{text}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
