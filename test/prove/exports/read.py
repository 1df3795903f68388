"""Reads an export and two feeds with the tools of others and prints what they found."""
import json
import sys

import duckdb
import feedparser
import pandas

parquet, rss = sys.argv[1:]
frame = pandas.read_parquet(parquet, engine="pyarrow")
rows = duckdb.sql(
    f"select count(*), sum(views), min(published_at)::varchar, sum(len(hashtags)),"
    f" count(distinct text) from '{parquet}'"
).fetchall()[0]
feed = feedparser.parse(rss)
print(
    json.dumps(
        {
            "pandas": {
                "rows": len(frame),
                "views": int(frame["views"].sum()),
                "first": frame["published_at"].min().isoformat(),
                "hashtags": int(frame["hashtags"].map(len).sum()),
                "text": frame["text"].iloc[1],
                "versions": len(json.loads(frame["versions"].iloc[0])),
                "types": {name: str(kind) for name, kind in frame.dtypes.items()},
            },
            "duckdb": [int(rows[0]), int(rows[1]), rows[2], int(rows[3]), int(rows[4])],
            "feed": {"malformed": bool(feed.bozo), "titles": [e.title for e in feed.entries]},
        }
    )
)
