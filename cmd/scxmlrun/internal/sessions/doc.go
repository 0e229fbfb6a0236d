// Package sessions is a client of the REST interface of scxmlrun serve, and shows its answers to people. The
// interface is described in scxml/fleet/rest/openapi.json.
package sessions
