FROM node:24-slim
ENV NODE_ENV=production PORT=8080 EXPORT_DIR=/data/exports
WORKDIR /app

# Node 24 is the image's own and the servers run elsewhere: the packages of the service alone, none of which has an install script.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

COPY mappings mappings
COPY ingest ingest
COPY scripts/install.mjs scripts/process-lock.mjs scripts/
COPY src src
RUN mkdir -p /data/exports && chown -R node:node /data

USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
