# The notebooks in a browser, without Go on the reader's machine: Debian with Go, JupyterLab, Jupyter
# Notebook, the kernel "metalab (Go)" and a warm cache of builds. It computes on the CPU.
#
#   docker build -t metalab .
#   docker run --rm -p 127.0.0.1:8888:8888 metalab     # then open the address that it prints
#
# Binder and .devcontainer build this file too. Binder names its user by the two build arguments,
# opens JupyterLab, and, where its readers log in, calls JupyterHub's server for one user. A hub gives
# its own command: nothing of an address, a port or a token is in the image.
FROM golang:1.26-bookworm

# Debian 12 has neither JupyterLab nor a Notebook that knows it.
RUN apt-get update -q && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	python3 python3-venv && \
	rm -rf /var/lib/apt/lists/* && \
	python3 -m venv /opt/jupyter && \
	/opt/jupyter/bin/pip install --no-cache-dir -q \
	"jupyterlab>=4.4,<5" "notebook>=7.4,<8" "jupyterhub>=5,<6"

ARG NB_USER=jovyan
ARG NB_UID=1000
RUN adduser --disabled-password --gecos "" --uid $NB_UID $NB_USER
ENV USER=$NB_USER HOME=/home/$NB_USER GOPATH=/home/$NB_USER/go GOFLAGS=-buildvcs=false \
	PATH=/opt/jupyter/bin:/home/$NB_USER/go/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin
COPY --chown=$NB_UID:$NB_UID . /home/$NB_USER/metalab
USER $NB_USER
WORKDIR /home/$NB_USER/metalab

# A notebook that is executed once leaves what cells are compiled from in the cache. repl is the
# prompt, and the worker of a cluster.
RUN go build -o "$(go env GOPATH)/bin/repl" ./repl/all && \
	go run ./kernel install && \
	go run ./kernel exec -q -o /tmp/first.ipynb notebooks/00_first_steps.ipynb && \
	rm /tmp/first.ipynb

EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--ServerApp.root_dir=notebooks"]
