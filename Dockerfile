# Wayfare without a PostgreSQL of its own: DATABASE_URL is needed. compose.yaml runs it with all that it needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
# The image has Node already, and the database is elsewhere.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
WORKDIR /app
RUN install --directory --owner=node --group=node /data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/build build
COPY package.json ./
COPY contract contract
COPY domain domain
COPY packages packages
COPY protocol protocol
COPY scripts scripts
COPY server server
COPY tools/demo tools/demo
COPY tools/import tools/import
USER node
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.ts"]
