"""Files in DevDocs' format, modelled on its Flask 3.0 of 2023, with fewer pages."""

META = {
    "name": "Flask",
    "slug": "flask~3.0",
    "type": "sphinx",
    "links": {
        "home": "https://palletsprojects.com/p/flask/",
        "code": "https://github.com/pallets/flask",
    },
    "version": "3.0",
    "release": "3.0.x",
    "mtime": 1696879574,
    "db_size": 1200265,
}
INDEX = {
    "entries": [
        {"name": "Adding a favicon", "path": "patterns/favicon/index", "type": "User's Guide"},
        {
            "name": "Blueprint.add_url_rule()",
            "path": "api/index#flask.Blueprint.add_url_rule",
            "type": "API: Blueprint Objects",
        },
        {"name": "mod_wsgi", "path": "deploying/mod_wsgi/index", "type": "User's Guide"},
        {"name": "Gunicorn", "path": "deploying/gunicorn/index", "type": "User's Guide"},
        {"name": "eventlet", "path": "deploying/eventlet/index", "type": "User's Guide"},
    ],
    "types": [
        {"name": "API: Blueprint Objects", "count": 1, "slug": "api-blueprint-objects"},
        {"name": "User's Guide", "count": 4, "slug": "user-s-guide"},
    ],
}
SITE = "https://flask.palletsprojects.com/en/3.0.x/"
ATTRIBUTION = """<div class="_attribution">
  <p class="_attribution-p">
    &copy; 2010 Pallets<br>Licensed under the BSD 3-clause License.<br>
    <a href="{url}" class="_attribution-link">{url}</a>
  </p>
</div>
"""
PICTURE = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * 340
PARTS = {
    "index": f"""<h1>Welcome to Flask</h1> \
<img src="{PICTURE}" alt="Flask: web development, one drop at a time" class="align-center"> \
<p>Flask depends on the <a class="reference external" \
href="https://werkzeug.palletsprojects.com/">Werkzeug</a> WSGI toolkit.</p> \
<section id="user-s-guide"> <h2>User's Guide</h2> <div class="toctree-wrapper compound"> <ul> \
<li class="toctree-l1">
<a class="reference internal" href="deploying/mod_wsgi/index">mod_wsgi</a><ul> \
<li class="toctree-l2"><a class="reference internal" href="deploying/mod_wsgi/index#installing">\
Installing</a></li> </ul> </li> </ul> </div> </section>""",
    "api/index": """<h1>API</h1> <p>This part of the documentation covers all the interfaces of \
Flask.</p> <section id="blueprint-objects"> <h2>Blueprint Objects</h2> <dl class="py class"> \
<dt class="sig sig-object py" id="flask.Blueprint"> <code>class flask.Blueprint(name, import_name)\
</code> </dt> <dd>
<p>Represents a blueprint, a collection of routes.</p> <dl class="py method"> \
<dt class="sig sig-object py" id="flask.Blueprint.add_url_rule"> <code>add_url_rule(rule, \
endpoint=None, view_func=None)</code> </dt> <dd>
<p>Register a rule with the application.</p> <dl class="field-list simple"> \
<dt class="field-odd">Parameters</dt> <dd class="field-odd">
<ul class="simple"> <li> <strong>rule</strong> (<a class="reference external" \
href="https://docs.python.org/3/library/stdtypes.html#str">str</a>) - The URL rule string.</li> \
</ul> </dd> </dl> </dd>
</dl> </dd>
</dl> </section>""",
    "deploying/mod_wsgi/index": """<h1>mod_wsgi</h1> <p>mod_wsgi is a WSGI server integrated with \
the Apache httpd server.</p> <section id="installing"> <h2>Installing</h2> <p>Create a virtualenv, \
and install your application.</p> <pre data-language="text">$ cd hello-app
$ python -m venv .venv
$ pip install mod_wsgi
</pre> </section> <section id="running"> <h2>Running</h2> <p>The only argument that \
<code>mod_wsgi-express</code> needs is a script with your application.</p> \
<div class="literal-block-wrapper docutils container" id="id2"> <div class="code-block-caption">\
<span class="caption-text"><code>wsgi.py</code></span></div> \
<pre data-language="python">from hello import create_app

application = create_app()
</pre> </div> <p>Now run it.</p> </section>""",
    "deploying/gunicorn/index": """<h1>Gunicorn</h1> <p>Gunicorn is a pure Python WSGI server with \
simple configuration and several worker implementations.</p>""",
    "deploying/eventlet/index": """<h1>eventlet</h1> <p>Prefer using <a class="reference internal" \
href="../gunicorn/index"><span class="doc">Gunicorn</span></a> with eventlet workers.</p>""",
    "patterns/favicon/index": """<h1>Adding a favicon</h1> <p>A favicon is an icon used by \
browsers for tabs and bookmarks.</p>""",
}
PAGES = {
    path: f"{part}{ATTRIBUTION.format(url=SITE + path.removesuffix('index'))}"
    for path, part in PARTS.items()
}
