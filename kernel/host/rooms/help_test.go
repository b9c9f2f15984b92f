package rooms_test

import (
	"testing"

	"metalab/kernel/host/internal/hosttest"
	_ "metalab/kernel/host/rooms" // all of them
)

func TestMain(m *testing.M) { hosttest.Main(m) }

var start = hosttest.Start
