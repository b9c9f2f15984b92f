package export_test

import (
	"testing"

	"metalab/kernel/host/internal/hosttest"
	_ "metalab/kernel/host/internal/hosttest/searches"
)

func TestMain(m *testing.M) { hosttest.Main(m) }

var start = hosttest.Start
