# Builds Pinpost on Debian 12 and keeps only what it needs to run: docker build -t pinpost .

FROM docker.io/library/swift:6.3-bookworm AS builder
WORKDIR /src
COPY script/packages script/
# The build section of the one list that script/bootstrap uses too.
RUN apt-get update -q \
    && sed -n '/^# build$/,/^# run$/p' script/packages | grep -v '^#' \
        | xargs apt-get install -y -q --no-install-recommends \
    && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Benchmarks Benchmarks
RUN for product in pinpost pinpost-decoder pinpost-decoder-full; do \
        swift build -c release --static-swift-stdlib --product "$product" \
            && install -D -s "$(swift build -c release --static-swift-stdlib --show-bin-path)/$product" /install/bin/"$product" \
            || exit 1; \
    done

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends \
        ca-certificates fonts-dejavu-core fonts-droid-fallback fonts-inter fonts-nanum fonts-noto-color-emoji fonts-noto-core \
        libcurl4 libmicrohttpd12 libpangocairo-1.0-0 libpng16-16 libseccomp2 libsqlite3-0 libssl3 libturbojpeg0 \
        libheif1 libjxl0.7 liblcms2-2 libtiff6 libwebp7 libwebpdemux2 \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=builder /install/bin/ /usr/local/bin/
RUN ! ldd /usr/local/bin/pinpost* | grep 'not found'
ENV PINPOST_DATA=/data PINPOST_LISTEN=0.0.0.0:8080
USER 10001:10001
VOLUME /data
EXPOSE 8080
# bash opens the connection, so that the image needs no HTTP client.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["pinpost"]
CMD ["serve"]
