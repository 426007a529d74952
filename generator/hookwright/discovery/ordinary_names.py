"""Names of technologies that are ordinary words, too, and that the hook does not weigh."""

import re

ORDINARY_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
        actor airflow alpine altair ambassador anchor ant apache arrow atlas atom audit aurora
        avocado azure backbone bamboo banana basic bazaar beam beats bench bento black blaze
        bottle bower brew bridge brunch buck buffalo bundle cabal caddy cake camel canvas
        capacitor captain cargo cascade cassandra castle chakra chalice chalk charm chisel
        chrome circle click clipper clojure coal cobra cocoa coffee collapse compass compose
        concourse consul cookie corona couch crane crow cube cucumber curl cypress dagger dapper
        dark delta desk diesel dolphin draft drill drone druid eclipse eden elastic electron
        element envoy enzyme essence excel fabric factory falcon fig finch fire firefly flame
        flash flink flow flower fluent forge fortress foundry fuse galaxy ganache gatsby gauge
        gazelle ghost giraffe glide glue grape gravity groovy ground guide gulp hammer harbor
        harness hatch haystack heat hibernate hive horizon hornet hound hyper ignite illuminate
        impala imposter ink insomnia invoke ionic iris jasmine jest jetty jigsaw juice jupiter
        karma kernel kestrel kite knot koala lambda lance lasso lattice lens less lift lightning
        lime linen loom lotus luigi luna lynx magenta make mantle maple marathon marble
        marionette mason maven melody mercurial mercury mesh metal micron mint mist mocha mold
        monsoon moon moose mustache nautilus needle nightwatch nomad nova oak ocean octave
        octopus olive onyx opal oracle orchid otter packer paint panda parcel parrot pass patch
        pelican perl petal phantom pig pilot pine pipeline plank plug poetry polar polaris
        polymer pony presto prism processing prometheus protractor pulsar pulse pylon pyramid
        quartz rabbit ranger ray realm requests rest rich ring river robot rocket rome rook room
        root rope rover rush sails samba sapling scala scout sculpt sentinel sentry serenity
        shelf shield sketch skylark slate slick slim snap snort solo sonar spectrum sphinx
        splash spock sprite stencil storm stripe sublime surge symphony tango tape tempo terra
        thrift tide tiger timber toast tornado tree trident trio trivia tuple turbine turbo twig
        twist twisted typhoon vagrant vapor velocity velvet vespa vessel victory vine viper
        voyager vulcan walrus watchman weave whisper wine winter wrangler zeal zebra zen zephyr
        """,
    )
)
