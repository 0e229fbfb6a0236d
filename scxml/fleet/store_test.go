package fleet_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/fleettest"
)

func TestMemory(t *testing.T) {
	fleettest.Test(t, fleettest.Kit{
		Open:   func(testing.TB) fleet.Store { return fleet.NewMemory() },
		Second: func(_ testing.TB, s fleet.Store) fleet.Store { return s },
	})
}
