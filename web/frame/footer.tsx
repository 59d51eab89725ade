import {
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandX,
  type TablerIcon,
} from "@tabler/icons-react";
import { Link } from "react-router";
import { footerLine, footerLinks, type SocialNetwork, socialLinks } from "../content/footer.ts";
import { Wordmark } from "../ui/wordmark.tsx";
import classes from "./footer.module.css";

const icons: Record<SocialNetwork, TablerIcon> = {
  Facebook: IconBrandFacebook,
  Instagram: IconBrandInstagram,
  X: IconBrandX,
  LinkedIn: IconBrandLinkedin,
};

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.company}>
          <Wordmark />
          <p className={classes.line}>{footerLine}</p>
        </div>
        <nav aria-label="Footer" className={classes.links}>
          {footerLinks.map(({ label, to }) => (
            <Link key={to} to={to} className={classes.link}>
              {label}
            </Link>
          ))}
        </nav>
        <ul aria-label="Social media" className={classes.social}>
          {socialLinks.map(({ name, href }) => {
            const Icon = icons[name];
            return (
              <li key={name}>
                <a
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={name}
                  className={classes.icon}
                >
                  <Icon size={20} stroke={1.6} aria-hidden />
                </a>
              </li>
            );
          })}
        </ul>
      </div>
    </footer>
  );
}
