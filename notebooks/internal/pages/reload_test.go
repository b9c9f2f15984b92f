package pages_test

import "github.com/chromedp/chromedp"

var reload = chromedp.Reload()
