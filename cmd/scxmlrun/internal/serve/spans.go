package serve

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/otlp"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/otel"
)

// exportTime is the time for the last spans at the end.
const exportTime = 5 * time.Second

// export adds an observer whose spans are exported as the environment says. Unless it is nil, stop exports
// the last ones.
func export(cfg *fleet.Config, log *slog.Logger) (stop func(), err error) {
	failed := func(err error) { log.Warn("cannot export spans", "error", err) }
	provider, err := otlp.New(context.Background(), "scxmlrun", os.Stdout, failed)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	if provider == nil {
		return nil, nil
	}
	cfg.Observers = append(cfg.Observers, otel.Observer(provider))
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), exportTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			failed(err)
		}
	}, nil
}
