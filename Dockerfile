# The server, run from its TypeScript source, which Node 24 executes directly.
FROM node:24-slim AS install
WORKDIR /app
RUN npm install --global pnpm@12
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY packages ./packages
COPY docs ./docs
# The server and its dependencies, in the lockfile's versions; among the dev dependencies are those that are built into
# published packages, and the backends that a user chooses.
RUN pnpm install --frozen-lockfile --filter "@letterslot/server..."

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 SMTP_HOST=0.0.0.0 DATA_DIR=/data
# glibc would keep the memory that reading threads have used: about 50 MB after a flood of mail.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
COPY --from=install /app ./
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8025 2525
# Liveness, in every role. Readiness, for load balancers, is /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8025}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1: at SIGTERM it finishes the work in progress and exits within 25 seconds.
STOPSIGNAL SIGTERM
CMD ["node", "packages/server/src/main.js"]
