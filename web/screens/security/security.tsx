import { pageMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Password } from "./password.tsx";
import classes from "./security.module.css";
import { SecurityItem } from "./security-item.tsx";

const title = "Login and security";

export const meta = () => pageMeta(title);

/** How an account is logged in to, and what protects it. */
export default function Security() {
  return (
    <Page title={title} lead="How you log in, and what keeps others out." narrow>
      <div className={classes.items}>
        <Password />
        <SecurityItem
          title="Devices"
          text="See where you're logged in, and log out devices you don't recognise."
          action={
            <LinkButton to="/devices" size="sm">
              Your devices
            </LinkButton>
          }
        />
      </div>
    </Page>
  );
}
