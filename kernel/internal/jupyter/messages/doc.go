// Package messages is Jupyter's messaging protocol as a client of a kernel speaks it: connection
// files, and signed messages over ZeroMQ. See
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package messages
