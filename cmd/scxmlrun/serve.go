package main

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/serve"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
)

const serveHelp = `Serve keeps sessions in a store and offers them over HTTP: programs create sessions,
send them events and watch them. An event that was acknowledged survives a crash
and is processed once; delayed events survive with their due time.

A CHART is a file, or a folder whose charts are served. The name of a chart is that
of its file without .scxml. A chart loads files from its own folder only. Sessions
keep the version of their chart: after a file has changed, new sessions run the new
version, and others after "scxmlrun sessions migrate".

The store is a folder; the first start makes it, with a token for all requests in the
file "token". The description of all requests is at /v1/openapi.json.

The server serves this machine only. --listen with another address needs --tls-cert,
--tls-key and --tokens, a file that only its owner can read. Each line of it has
a name, scopes and a token:
  reports   read       Wm4ZyPq0cVbT7sXn2kLd
  checkout  read,send  sha256:HASH-OF-THE-TOKEN
The scopes are read, send, operate (suspend, resume, retry, skip, stop, delete) and
admin (upload charts, migrate sessions).

Charts that are uploaded run in child processes with the limits for untrusted charts,
and load no files.

Ctrl+C or SIGTERM ends the server: requests and steps in progress are completed first,
for at most --drain. A second signal ends it at once, which loses nothing that
was acknowledged.

Exit status:
  0    stopped by a signal
  1    a failure at run time, such as a full disk
  2    wrong usage
  3    a document was refused`

const serveExample = `  scxmlrun serve charts/
  scxmlrun serve --store /var/lib/orders --listen 127.0.0.1:9000 order.scxml
  scxmlrun serve --listen :8443 --tls-cert cert.pem --tls-key key.pem --tokens tokens charts/`

// newServeCommand returns the command that serves durable sessions over HTTP.
func newServeCommand() *cobra.Command {
	o := new(serve.Options)
	format := cli.Choice{Value: "text", All: []string{"text", "json"}}
	var isolated *cli.Choice
	cmd := &cobra.Command{
		Use:     "serve [CHART…|DIR…]",
		Short:   "Serve durable sessions over HTTP",
		Long:    serveHelp,
		Example: serveExample,
		Args:    cobra.ArbitraryArgs, // files are looked for later
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Charts, o.LogFormat, o.Isolate = args, format.Value, isolated.Value
			return serve.Run(cmd.Context(), o)
		},
		ValidArgsFunction: completeCharts,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", cmp.Or(os.Getenv("SCXMLRUN_LISTEN"), "127.0.0.1:8420"), "`ADDRESS` to serve at; the port may be 0")
	flags.StringVar(&o.Store, "store", "scxmlrun-data", "the folder of the store, as `DIR` or bolt:DIR")
	flags.StringVar(&o.Tokens, "tokens", "", "a `FILE` of tokens with scopes, instead of the token of the store")
	flags.StringVar(&o.Cert, "tls-cert", "", "certificates of the server, as a PEM `FILE`")
	flags.StringVar(&o.Key, "tls-key", "", "its private key, as a PEM `FILE`")
	flags.StringArrayVar(&o.Hosts, "host", nil, "a `NAME` of this machine by which others reach it; may be repeated")
	flags.StringArrayVar(&o.Origins, "origin", nil, "the `URL` of a web site, such as https://example.com, whose pages may send requests; may be repeated")
	flags.StringArrayVar(&o.Targets, "send-to", nil, "a `HOST` to which charts may send over HTTP, besides this machine; may be repeated")
	isolated = wall.Flag(cmd, "run the charts of the command line in child processes, too")
	flags.BoolVar(&o.Strict, "strict", false, "apply the limits for untrusted charts")
	flags.StringArrayVar(&o.Limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	flags.DurationVar(&o.Drain, "drain", 30*time.Second, "the `TIME` that requests and steps in progress have at the end")
	format.Flag(cmd, "log-format", "of the log on standard error: text or json")
	flags.BoolVar(&o.LogData, "log-data", false, "also log what may be data: the values that charts log, and the messages of their errors")
	return cmd
}
