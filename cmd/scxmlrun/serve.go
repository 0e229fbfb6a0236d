package main

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/serve"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const serveHelp = `Serve keeps sessions in a store and offers them over HTTP: programs create sessions,
send them events and watch them. An event that was acknowledged survives a crash
and is processed once; delayed events survive with their due time.

A CHART is a file, or a folder whose charts are served. The name of a chart is that
of its file without .scxml. A chart loads files from its own folder only. Sessions
keep the version of their chart: after a file has changed, new sessions run the new
version, and others after "scxmlrun sessions migrate".

The store is a folder; the first start makes it, with a token for all requests in the
file "token". Or it is on a server, where many machines can use it: --store
postgres://HOST/DATABASE is a schema "scxml" in a database of PostgreSQL; the password
is taken from PGPASSWORD or ~/.pgpass; --store nats://HOST,HOST,HOST/NAME is in a
cluster of NATS with JetStream; user and password are taken from NATS_USER and
NATS_PASSWORD, or NATS_TOKEN, or NATS_CREDS, a file, and NATS_SYSTEM names a user of
the system account, USER:PASSWORD or a file, who can tell that the servers sync; or
write nats://HOST/NAME?sync=unchecked. The token is then in the folder --data, with a
watermark by which a start notices that the server has lost events. The description of all requests is at /v1/openapi.json.

A store that is not there yet is waited for, and the log says why: a server that does not
answer or has no leader, or a folder that another process uses. /livez answers meanwhile,
and /readyz with status 503. A wrong password or certificate is an error at once.

The server serves this machine only. --listen with another address needs --tls-cert,
--tls-key and --tokens, a file that only its owner can read. Each line of it has
a name, scopes and a token:
  reports   read       Wm4ZyPq0cVbT7sXn2kLd
  checkout  read,send  sha256:HASH-OF-THE-TOKEN
The scopes are read, send, operate (suspend, resume, retry, skip, stop, delete),
admin (upload charts, migrate sessions) and metrics (for Prometheus, at /metrics).

Behind a load balancer --public-url names its address: it is what charts find in
_ioprocessors, what answers refer to, a host that requests may name, and one to which
charts may send.

Spans are exported if a variable of OpenTelemetry asks for it: OTEL_EXPORTER_OTLP_ENDPOINT, such as
http://localhost:4318, or OTEL_TRACES_EXPORTER (otlp, console or none). OTEL_SERVICE_NAME,
OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_BSP_…, OTEL_SDK_DISABLED and the other variables of
OTLP mean what they usually do; the protocol is http/protobuf.

The page at / shows the sessions to operators. It asks for a token.

Charts that are uploaded run in child processes with the limits for untrusted charts,
and load no files.

Ctrl+C or SIGTERM ends the server: requests and steps in progress are completed first,
for at most --drain. A second signal ends it at once, which loses nothing that
was acknowledged.

Exit status:
  0    stopped by a signal
  1    a failure at run time, such as a full disk
  2    wrong usage
  3    a document was refused, or the store is damaged`

const serveExample = `  scxmlrun serve charts/
  scxmlrun serve --store /var/lib/orders --listen 127.0.0.1:9000 order.scxml
  scxmlrun serve --store postgres://fleet@db.example.com/orders order.scxml
  scxmlrun serve --store nats://n1.example.com,n2.example.com,n3.example.com/orders order.scxml
  scxmlrun serve --listen :8443 --tls-cert cert.pem --tls-key key.pem --tokens tokens charts/`

// newServeCommand returns the command that serves durable sessions over HTTP.
func newServeCommand() *cobra.Command {
	o := new(serve.Options)
	format := cli.Choice{Value: "text", All: []string{"text", "json"}}
	level := cli.Choice{Value: "info", All: []string{"info", "warn", "error"}}
	var isolated *cli.Choice
	cmd := &cobra.Command{
		Use:     "serve [CHART…|DIR…]",
		Short:   "Serve durable sessions over HTTP",
		Long:    serveHelp,
		Example: serveExample,
		Args:    cobra.ArbitraryArgs, // files are looked for later
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Charts, o.LogFormat, o.LogLevel, o.Isolate = args, format.Value, level.Value, isolated.Value
			return serve.Run(cmd.Context(), o)
		},
		ValidArgsFunction: completeCharts,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", cmp.Or(os.Getenv("SCXMLRUN_LISTEN"), "127.0.0.1:8420"), "`ADDRESS` to serve at; the port may be 0")
	flags.StringVar(&o.Store, "store", "scxmlrun-data", "the store: a folder, or the `URL` of a server, such as postgres://HOST/DATABASE")
	flags.StringVar(&o.Local, "data", "scxmlrun-data", "the folder `DIR` for the token and the watermark of this machine, if the store is on a server")
	flags.StringVar(&o.Host, "host-id", "", "the `NAME` of this server among those that share a store on a server (default this machine's name and the port)")
	flags.StringVar(&o.Tokens, "tokens", "", "a `FILE` of tokens with scopes, instead of the token of the store")
	flags.StringVar(&o.Cert, "tls-cert", "", "certificates of the server, as a PEM `FILE`")
	flags.StringVar(&o.Key, "tls-key", "", "its private key, as a PEM `FILE`")
	flags.StringVar(&o.Public, "public-url", "", "the `URL` at which clients reach this server or its load balancer, such as https://example.com/orders (default the address of --listen)")
	flags.StringArrayVar(&o.Hosts, "host", nil, "a `NAME` of this machine by which others reach it; may be repeated")
	flags.StringArrayVar(&o.Origins, "origin", nil, "the `URL` of a web site, such as https://example.com, whose pages may send requests; may be repeated")
	flags.StringArrayVar(&o.Targets, "send-to", nil, "a `HOST` to which charts may send over HTTP, besides this machine; may be repeated")
	flags.TextVar(&o.Retry, "retry", scxml.Retry{}, "the `POLICY` by which messages over HTTP are sent again, for example 'attempts=9 first=2s longest=1h final=404'; a <send> may have its own")
	isolated = wall.Flag(cmd, "run the charts of the command line in child processes, too")
	flags.BoolVar(&o.Strict, "strict", false, "apply the limits for untrusted charts")
	flags.StringArrayVar(&o.Limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	flags.StringArrayVar(&o.Keep, "keep-finished", nil, "delete sessions this `TIME` after they have ended, such as 30d; CHART=TIME or CHART=forever for one chart; may be repeated (default keep them)")
	flags.IntVar(&o.Sessions, "max-sessions", 1_000_000, "the number `N` of sessions of the store, ended ones included, from which on none is created")
	flags.IntVar(&o.IDs, "ids", 0, "remember the Idempotency-Keys of the last `N` events of a session (default 100, or 1000 with --ids-for)")
	flags.DurationVar(&o.IDsFor, "ids-for", 0, "remember each of them for this `TIME` at least, such as 24h: a session refuses an event that would make it forget one of --ids earlier")
	flags.IntVar(&o.Cache, "cache", 10_000, "keep at most `N` sessions in memory")
	flags.IntVar(&o.CacheSize, "cache-mb", 64, "and only sessions whose records have `N` MB in all; in memory they take about ten times as much")
	flags.IntVar(&o.Workers, "workers", 64, "process at most `N` sessions, and deliver at most N messages, at a time")
	flags.DurationVar(&o.Drain, "drain", 30*time.Second, "the `TIME` that requests and steps in progress have at the end")
	format.Flag(cmd, "log-format", "of the log on standard error: text or json")
	level.Flag(cmd, "log-level", "log only what is at least so important: info, which has each request, warn or error")
	flags.BoolVar(&o.LogData, "log-data", false, "also log what may be data: the values that charts log, and the messages of their errors")
	return cmd
}
