# The notebooks in a browser, without Go on the reader's machine: Debian with Go, Jupyter Notebook,
# the kernel "metalab (Go)" and a warm cache of builds. It computes on the CPU.
#
#   docker build -t metalab .
#   docker run --rm -p 127.0.0.1:8888:8888 metalab     # then open the address that it prints
#
# Binder and .devcontainer build this file too.
FROM golang:1.26-bookworm

RUN apt-get update -q && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	jupyter-notebook jupyter-nbconvert jupyter-client && \
	rm -rf /var/lib/apt/lists/*

# Binder names its user by these two.
ARG NB_USER=reader
ARG NB_UID=1000
RUN adduser --disabled-password --gecos "" --uid $NB_UID $NB_USER
ENV USER=$NB_USER HOME=/home/$NB_USER GOPATH=/home/$NB_USER/go GOFLAGS=-buildvcs=false \
	PATH=/usr/bin:/usr/local/go/bin:/usr/local/bin:/bin
COPY --chown=$NB_UID:$NB_UID . /home/$NB_USER/metalab
USER $NB_USER
WORKDIR /home/$NB_USER/metalab

# A notebook that is executed once leaves what cells are compiled from in the cache.
RUN go run ./kernel install && \
	go run ./kernel exec -q -o /tmp/first.ipynb notebooks/00_first_steps.ipynb && \
	rm /tmp/first.ipynb

EXPOSE 8888
CMD ["jupyter", "notebook", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--notebook-dir=notebooks"]
