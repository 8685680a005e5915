# Builds ptxseal on Debian 12 and runs ./scripts/ae: an image is only made if every byte of the bundle verifies and
# every derived cell and claim is as it should be. `docker run IMAGE` then does it again, without a network.
#
# To pin the base, replace the tag by the digest that you reviewed: debian:bookworm-slim@sha256:<digest>
# (`docker buildx imagetools inspect debian:bookworm-slim` prints it). docs/container.md says how to make the base and
# the image yourself, bit for bit, without a registry or an engine.
FROM debian:bookworm-slim
ARG SOURCE_DATE_EPOCH=1700000000
WORKDIR /ptxseal
COPY . .
# One layer: what apt and the linker leave behind would differ from build to build.
RUN ./scripts/ae \
	&& rm -rf build/*.log /var/lib/apt/lists/* /var/log/* /var/cache/apt/* /var/cache/ldconfig/aux-cache /var/cache/debconf/*-old /tmp/*
CMD ["./scripts/ae"]
